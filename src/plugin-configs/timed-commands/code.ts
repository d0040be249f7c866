// Templates of commands for joining and leaving players, which the platform runs itself.
import { pluginKinds } from '../../../generated/plugin-kinds.ts';
import type { Schemas } from '../../platform-contract/types.ts';
import { templateFault } from '../../text/command-templates.ts';
import type { CodeOf } from '../declared.ts';
import type { Remark } from '../reading.ts';

const { playerCommands } = pluginKinds['timed-commands'];
const placeholders = ['steam_id', 'player_name'];

function faultsOf(config: Schemas['TimedCommandsConfigData']): Remark[] {
  return Object.values(playerCommands).flatMap((field) =>
    (config[field] ?? []).flatMap((command, index) => {
      const detail = templateFault(command, placeholders);
      return detail === null ? [] : [{ pointer: `/${field}/${index}`, detail }];
    }),
  );
}

export const timedCommands: CodeOf<'timed-commands'> = { faultsOf };
