// Stub.
import { Page } from '../shared/page.tsx';
export function ServersPage() {
  return <Page title="Servers">x</Page>;
}
