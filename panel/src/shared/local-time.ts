// Times as fields of the type `datetime-local` have them: local, to the minute.
const pad = (value: number) => String(value).padStart(2, '0');

export function localInput(at: number): string {
  const date = new Date(at);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(pad).join('-');
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** Null while the field is empty or incomplete. */
export function fromLocalInput(value: string): string | null {
  const at = new Date(value).getTime();
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
