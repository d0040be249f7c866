// What a map of permissions grants, for readers.
import { hasPermission } from '../api/may.ts';
import { useTexts } from '../texts/texts.ts';
import type { AreaGroup } from './catalog.ts';
import { grantingEntry, wholeArea, type PermissionMap } from './permission-map.ts';
import classes from './permissions.module.css';

export function GrantedPermissions({
  catalog,
  permissions,
}: {
  catalog: readonly AreaGroup[];
  permissions: PermissionMap;
}) {
  const t = useTexts('permissions');
  return (
    <div className={classes.picker}>
      {catalog.map(({ key, name, areas }) => (
        <div key={key} className={classes.group}>
          <p className={classes.groupName}>{name}</p>
          {areas.map((area) => (
            <div key={area.area} className={classes.area}>
              <div className={classes.areaHead}>
                <span className={classes.areaName}>{area.name}</span>
                {hasPermission(permissions, wholeArea(area.area)) && (
                  <span className="hint">{t('wholeAreaShort')}</span>
                )}
              </div>
              <ul className={classes.list}>
                {area.permissions.map(({ permission, action, description }) => {
                  const isGranted = grantingEntry(permissions, permission) !== null;
                  return (
                    <li key={permission} className={classes.read} data-granted={isGranted || undefined}>
                      <span className={classes.mark} aria-hidden="true">
                        {isGranted ? '✓' : '–'}
                      </span>
                      <span>
                        <span className={classes.action}>{action}</span>
                        <span className="visuallyHidden">
                          {': '}
                          {isGranted ? t('granted') : t('notGranted')}
                        </span>
                        <span className={classes.description}>{description}</span>
                      </span>
                    </li>
                  );
                })}
              </ul>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
