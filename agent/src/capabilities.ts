// Derives what can be requested of an instance from its configuration and installed plugin framework.
import type { Schemas } from './messages.ts';
import { frameworkOf } from './plugins/framework.ts';
import type { Instance } from './supervisor/instance.ts';

type Capability = Schemas['InstanceCapability'];

/** In alphabetical order, so that equal capabilities are reported as equal texts. */
export function capabilitiesOf(instance: Instance): Capability[] {
  const { config, rcon } = instance.context;
  const hasReplies = rcon !== null;
  const isRead = hasReplies || config.console.hasInput;
  const isRust = config.game === 'rust' || hasReplies;
  const mayHavePlugins = config.console.reloadPlugin !== null && (isRust || frameworkOf(instance) !== null);
  const has: Record<Capability, boolean> = {
    announcements: isRead && config.console.announce !== null,
    console_input: isRead,
    console_output: isRead,
    console_replies: hasReplies,
    deliveries: hasReplies,
    players: hasReplies,
    plugin_reloads: isRead && (mayHavePlugins || typeof config.console.reloadPlugin === 'string'),
    plugins: mayHavePlugins,
    saves: isRead && config.console.save !== null,
    wipes: config.game === 'rust',
  };
  return (Object.keys(has) as Capability[]).filter((capability) => has[capability]);
}
