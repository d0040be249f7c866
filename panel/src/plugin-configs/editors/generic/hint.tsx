// A description of the contract; names of settings and commands in it are marked as code.
export function Hint({ text, id, className }: { text: string; id?: string; className: string | undefined }) {
  return (
    <span {...(id !== undefined && { id })} className={className}>
      {text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </span>
  );
}
