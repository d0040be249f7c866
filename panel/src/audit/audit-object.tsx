// What an entry changed, by its name, with links to the resource and to its server.
import { Link } from '@tanstack/react-router';
import { useAuditWords, objectName, serverOf, type Names } from './words.ts';
import type { AuditEntry } from './audit-search.ts';

export function AuditObject({ entry, names }: { entry: AuditEntry; names: Names }) {
  const words = useAuditWords();
  const { target_id: id, target_type: type, action } = entry;
  const serverId = serverOf(entry);
  const server = serverId === null ? undefined : names.get(serverId);
  const name =
    words.verb(entry) ??
    objectName(entry, names) ??
    words.kindOf(entry) ??
    (type === 'instance' ? server : type === 'license' ? names.get(id) : undefined);
  const isGone = action === 'deleted';
  return (
    <>
      {name === undefined || name === null ? (
        server === undefined && <span className="mono dim">{id}</span>
      ) : (
        <ObjectLink id={id} type={isGone ? '' : type}>
          {name}
        </ObjectLink>
      )}
      {server !== undefined && serverId !== null && type !== 'instance' && (
        <>
          {name !== undefined && name !== null && ' · '}
          <Link to="/servers/$instanceId" params={{ instanceId: serverId }}>
            {server}
          </Link>
        </>
      )}
    </>
  );
}

function ObjectLink({ id, type, children }: { id: string; type: string; children: string }) {
  switch (type) {
    case 'instance':
      return (
        <Link to="/servers/$instanceId" params={{ instanceId: id }}>
          {children}
        </Link>
      );
    case 'command':
      return (
        <Link to="/commands/$commandId" params={{ commandId: id }}>
          {children}
        </Link>
      );
    case 'cluster':
      return (
        <Link to="/clusters/$clusterId" params={{ clusterId: id }}>
          {children}
        </Link>
      );
    case 'host':
      return (
        <Link to="/hosts/$hostId" params={{ hostId: id }}>
          {children}
        </Link>
      );
    case 'api_key':
      return (
        <Link to="/api-keys/$apiKeyId" params={{ apiKeyId: id }}>
          {children}
        </Link>
      );
    default:
      return children;
  }
}
