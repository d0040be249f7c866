// The permissions of one area, each with its explanation, and all of them at once.
import { Checkbox } from '@mantine/core';
import { hasPermission } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import { useTexts } from '../texts/texts.ts';
import type { Area } from './catalog.ts';
import { areaOf, grantedEntries, grantingEntry, wholeArea, type PermissionMap } from './permission-map.ts';
import classes from './permissions.module.css';

interface PermissionAreaProps {
  area: Area;
  value: PermissionMap;
  never: readonly string[];
  onChange: (entries: readonly string[]) => void;
}

export function PermissionArea({
  area: { area, name, permissions },
  value,
  never,
  onChange,
}: PermissionAreaProps) {
  const t = useTexts('permissions');
  const { permissions: held } = useMe();
  const entries = grantedEntries(value);
  const whole = wholeArea(area);
  const isEverything = value['*'] === true;
  const isWhole = isEverything || value[whole] === true;
  const mayGiveWhole = hasPermission(held, whole) && !never.some((permission) => areaOf(permission) === area);
  const others = entries.filter((entry) => areaOf(entry) !== area || entry === '*');
  return (
    <div className={classes.area} role="group" aria-label={name}>
      <div className={classes.areaHead}>
        <span className={classes.areaName}>{name}</span>
        {(mayGiveWhole || isWhole) && (
          <Checkbox
            size="xs"
            label={t('wholeAreaShort')}
            aria-label={t('wholeArea', { area: name })}
            checked={isWhole}
            disabled={isEverything || !mayGiveWhole}
            onChange={(event) => onChange(event.currentTarget.checked ? [...others, whole] : others)}
          />
        )}
      </div>
      <div className={classes.list}>
        {permissions.map(({ permission, action, description }) => {
          const isHeld = hasPermission(held, permission);
          const isNever = never.includes(permission);
          return (
            <div key={permission} title={permission}>
              <Checkbox
                label={action}
                aria-label={`${name}: ${action}`}
                description={
                  <>
                    {description}
                    {isNever && <span className={classes.refused}> {t('neverGranted')}</span>}
                    {!isNever && !isHeld && <span className={classes.refused}> {t('notHeld')}</span>}
                  </>
                }
                checked={!isNever && grantingEntry(value, permission) !== null}
                disabled={isWhole || isNever || (!isHeld && value[permission] !== true)}
                onChange={(event) =>
                  onChange(
                    event.currentTarget.checked
                      ? [...entries, permission]
                      : entries.filter((entry) => entry !== permission),
                  )
                }
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}
