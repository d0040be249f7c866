// The mail server of notifications.
import { Checkbox, NativeSelect, NumberInput, PasswordInput, TextInput } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import { faultAt } from '../shared/faults.ts';

type Mail = Schemas['MailSettings'];

interface MailFieldsProps {
  mail: Mail | null;
  error: Error | null;
  onChange: (mail: Mail | null) => void;
}

const securities: { value: Mail['security']; label: string; port: number }[] = [
  { value: 'starttls', label: 'STARTTLS (port 587)', port: 587 },
  { value: 'tls', label: 'TLS (port 465)', port: 465 },
  { value: 'none', label: 'None (port 25)', port: 25 },
];

const initial: Mail = {
  host: '',
  port: 587,
  security: 'starttls',
  user: null,
  password: null,
  from: '',
  to: '',
};

export function MailFields({ mail, error, onChange }: MailFieldsProps) {
  const faultOf = (name: keyof Mail) => faultAt(error, `/notifications/mail/${name}`);
  return (
    <>
      <Checkbox
        mt="md"
        mb="sm"
        label="Send mail"
        checked={mail !== null}
        onChange={({ currentTarget: { checked } }) => onChange(checked ? initial : null)}
      />
      {mail !== null && (
        <div className="fields">
          <TextInput
            label="Mail server"
            placeholder="smtp.example.org"
            required
            maxLength={253}
            value={mail.host}
            onChange={({ currentTarget: { value } }) => onChange({ ...mail, host: value.trim() })}
            error={faultOf('host')}
          />
          <NativeSelect
            label="Encryption"
            value={mail.security}
            data={securities.map(({ value, label }) => ({ value, label }))}
            onChange={({ currentTarget: { value } }) => {
              const chosen = securities.find((security) => security.value === value);
              if (chosen !== undefined) onChange({ ...mail, security: chosen.value, port: chosen.port });
            }}
          />
          <NumberInput
            label="Mail server port"
            min={1}
            max={65535}
            allowDecimal={false}
            value={mail.port}
            onChange={(value) => onChange({ ...mail, port: Number(value) })}
            error={faultOf('port')}
          />
          <TextInput
            label="User name"
            description="Empty to send without a login."
            maxLength={200}
            autoComplete="off"
            value={mail.user ?? ''}
            onChange={({ currentTarget: { value } }) => onChange({ ...mail, user: value.trim() || null })}
            error={faultOf('user')}
          />
          <PasswordInput
            label="Password"
            maxLength={200}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
            value={mail.password ?? ''}
            onChange={({ currentTarget: { value } }) => onChange({ ...mail, password: value || null })}
            error={faultOf('password')}
          />
          <TextInput
            type="email"
            label="From"
            required
            maxLength={200}
            value={mail.from}
            onChange={({ currentTarget: { value } }) => onChange({ ...mail, from: value.trim() })}
            error={faultOf('from')}
          />
          <TextInput
            type="email"
            label="To"
            required
            maxLength={200}
            value={mail.to}
            onChange={({ currentTarget: { value } }) => onChange({ ...mail, to: value.trim() })}
            error={faultOf('to')}
          />
        </div>
      )}
    </>
  );
}
