// Counts the encrypted values of the database that this platform's secret cannot decrypt.
import { purposes, SecretCipher } from '../secrets/encryption.ts';
import { ok, problem, type Finding } from './finding.ts';

interface EncryptedColumn {
  /** In words, for the report. */
  of: string;
  purpose: string;
  /** SQL that selects `subject` and `secret` of each row. */
  rows: string;
  /** How owners replace a value that is lost. */
  replacement: string;
}

const columns: readonly EncryptedColumn[] = [
  {
    of: 'webhook secrets',
    purpose: purposes.webhook,
    rows: `select id::text as subject, secret from webhook
      union all select id::text, previous_secret from webhook where previous_secret is not null`,
    replacement: 'have the webhooks’ secrets rotated',
  },
  {
    of: 'second factors',
    purpose: purposes.secondFactor,
    rows: 'select user_id::text as subject, sealed_secret as secret from totp',
    replacement: 'have the users enable them again',
  },
  {
    of: 'notification channels',
    purpose: purposes.notificationChannel,
    rows: 'select id::text as subject, target as secret from notification_channel where target is not null',
    replacement: 'have the targets of the channels set again',
  },
  {
    of: 'payment accounts of stores',
    purpose: purposes.storeAccount,
    rows: `select license_id || ' key' as subject, secret_key as secret from store_account where provider = 'stripe'
      union all select license_id || ' webhook', webhook_secret from store_account where provider = 'stripe'`,
    replacement: 'have the stores’ payment keys entered again',
  },
  {
    of: 'secrets of provisioned licenses',
    purpose: purposes.provisionedLicense,
    rows: `select reseller_id || ' ' || server_id as subject, sealed_secrets as secret from reseller_license
      where sealed_secrets is not null`,
    replacement: 'wait a day: they expire',
  },
];

type Select = <Row>(sql: string) => Promise<Row[]>;

export async function examineSecrets(select: Select, encryptionSecret: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const column of columns) findings.push(await examineColumn(select, encryptionSecret, column));
  return findings;
}

async function examineColumn(
  select: Select,
  encryptionSecret: string,
  { of, purpose, rows, replacement }: EncryptedColumn,
): Promise<Finding> {
  const cipher = new SecretCipher(encryptionSecret, purpose);
  const values = await select<{ subject: string; secret: Uint8Array }>(rows);
  const unreadable = values.filter(({ subject, secret }) => !isReadable(cipher, secret, subject)).length;
  return unreadable === 0
    ? ok(of, `${values.length} can be decrypted`)
    : problem(
        of,
        `${unreadable} of ${values.length} are encrypted with another secret`,
        `Set the former secret as GANTRY_SEALING_SECRET, or ${replacement}`,
      );
}

function isReadable(cipher: SecretCipher, secret: Uint8Array, subject: string): boolean {
  try {
    cipher.decrypt(secret, subject);
    return true;
  } catch {
    return false;
  }
}
