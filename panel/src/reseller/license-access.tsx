// What a customer needs to use a provisioned license, to copy.
import { CopyField } from '@gantry/ui/copy-field.tsx';
import type { Schemas } from '../api/operations.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './reseller.module.css';

type Access = Schemas['ProvisionedLicense'];

const parts = ['panel_url', 'license_key', 'companion_token', 'plugin_download_url', 'subdomain'] as const;

export function LicenseAccess({ license }: { license: Access }) {
  const t = useTexts('reseller');
  return (
    <dl className={classes.access}>
      {parts.map((part) => {
        const value = license[part];
        const name = t(`access.${part}`);
        return (
          <div key={part}>
            <dt>{name}</dt>
            <dd>
              {value === null ? (
                <span className="dim">{t('access.gone')}</span>
              ) : (
                <CopyField value={value} label={name} action={t('access.copy')} />
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
