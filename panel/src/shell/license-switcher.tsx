// Shows the license of this session, and switches to another one.
import { Menu, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { mayCall } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import { useSwitchLicense } from '../session/use-switch-license.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './license-switcher.module.css';

export function LicenseSwitcher() {
  const t = useTexts('shell');
  const me = useMe();
  const { switchTo, switching } = useSwitchLicense();
  const current = me.licenses.find(({ license_id }) => license_id === me.license_id);
  const mayCreate = mayCall(me, 'POST /api/admin/licenses');
  return (
    <>
      <Menu width={236} position="bottom-start" withinPortal={false}>
        <Menu.Target>
          <UnstyledButton className={classes.license}>
            <span className="visuallyHidden">{t('license.switch')}</span>
            <span className={classes.names}>
              <span className={classes.label}>{t('license.label')}</span>
              <span className="cut">{current?.name ?? t('license.none')}</span>
            </span>
            <ChevronsUpDown size={15} aria-hidden="true" />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown className={classes.list ?? ''}>
          {me.licenses.map(({ license_id, name, role, status }) => (
            <Menu.Item
              key={license_id}
              disabled={status === 'revoked'}
              onClick={() => {
                if (license_id !== me.license_id) void switchTo(license_id);
              }}
              rightSection={license_id === me.license_id ? <Check size={15} /> : null}
            >
              <span className={classes.name}>{name}</span>
              <span className={classes.role}>{status === 'revoked' ? t('license.revoked') : role}</span>
            </Menu.Item>
          ))}
          {mayCreate && (
            <>
              {me.licenses.length > 0 && <Menu.Divider />}
              <Menu.Item component={Link} to="/new-license" leftSection={<Plus size={16} />}>
                {t('license.create')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <ProblemAlert error={switching.error} />
    </>
  );
}
