// Whether one person has a permission, and which entry of their role decides.
import { Link } from '@tanstack/react-router';
import { useMe } from '../api/me.ts';
import type { Permission } from '../permissions/permission-map.ts';
import { useTexts } from '../texts/texts.ts';
import { sourceOf, type Person } from './person.ts';
import classes from './team.module.css';
import { useRoles } from './use-team.ts';

interface VerdictProps {
  person: Person;
  permission: Permission;
}

export function Verdict({ person, permission }: VerdictProps) {
  const t = useTexts('team');
  const me = useMe();
  const isAllowed = sourceOf(person, permission).kind !== 'none' && !person.isDisabled;
  const isMe = person.userId === me.id;
  const { email } = person;
  return (
    <div className={classes.result} data-allowed={isAllowed} role="status">
      <p className={classes.verdict}>
        {isAllowed
          ? isMe
            ? t('access.youAllowed')
            : t('access.allowed', { email })
          : isMe
            ? t('access.youRefused')
            : t('access.refused', { email })}
      </p>
      <p className={classes.reason}>
        <Reason person={person} permission={permission} />
      </p>
      {person.roleId !== null && (
        <>
          <RolesWith permission={permission} />
          <p className={classes.reason}>
            <Link to="/team/roles/$roleId" params={{ roleId: person.roleId }}>
              {t('access.openRole', { role: person.roleName })}
            </Link>
          </p>
        </>
      )}
    </div>
  );
}

/** The rule that decides, in one sentence. */
export function Reason({ person, permission }: VerdictProps) {
  const t = useTexts('team');
  const source = sourceOf(person, permission);
  if (person.isDisabled) return t('access.disabled');
  const role = person.roleName;
  return source.kind === 'none'
    ? t('access.by.none', { role, permission })
    : t(`access.by.${source.kind}`, { role, entry: source.entry });
}

export function RolesWith({ permission }: { permission: Permission }) {
  const t = useTexts('team');
  const { items: roles = [] } = useRoles();
  const names = roles.filter((role) => sourceOf(role, permission).kind !== 'none').map(({ name }) => name);
  return (
    <p className={classes.reason}>
      {names.length === 0 ? t('access.noRoleWith') : t('access.rolesWith', { roles: names.join(', ') })}
    </p>
  );
}
