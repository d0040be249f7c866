// Views of remarks about places in plugin configurations, shared by two areas.
import type { Schemas } from '../platform-contract/types.ts';
import { placeOf } from '../plugin-configs/places.ts';
import type { Remark } from '../plugin-configs/reading.ts';

export const viewRemark = ({ pointer, detail }: Remark): Schemas['PluginConfigRemark'] => ({
  pointer,
  place: placeOf(pointer),
  detail,
});

export const viewRemarks = (remarks: readonly Remark[]) => remarks.map(viewRemark);
