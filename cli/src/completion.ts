// Shell completion: scripts for four shells, and the candidates they ask this program for.
import type { Contract } from './contract.ts';
import { CliError } from './failures.ts';
import { formats } from './output.ts';
import { flagsOf, isBoolean, ownOptions } from './values.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** A candidate with what it means, for shells that show it. */
export interface Candidate {
  text: string;
  hint: string;
}

const commands: Record<string, string> = {
  api: 'call an operation',
  operations: 'find and describe operations',
  profile: 'servers and keys',
  'sign-in': 'sign in as a user',
  'step-up': 'confirm your identity',
  'sign-out': 'end the session',
  completion: 'print a completion script',
  mcp: 'serve agents over the Model Context Protocol',
};

const subcommands: Record<string, string[]> = {
  operations: ['search', 'describe'],
  profile: ['list', 'show', 'set', 'use', 'remove'],
  completion: [...shells],
};

/** Candidates for the last of the words after `gantry`. */
export async function candidates(words: string[], load: () => Promise<Contract>): Promise<Candidate[]> {
  const typed = words.at(-1) ?? '';
  const [command = '', second = '', third = ''] = words.slice(0, -1);
  const among = (list: Candidate[]) =>
    list.filter(({ text }) => text.toLowerCase().startsWith(typed.toLowerCase()));
  if (words.length <= 1) return among(Object.entries(commands).map(([text, hint]) => ({ text, hint })));
  if (words.length === 2 && command in subcommands) return among(plain(subcommands[command] ?? []));
  const isApi = command === 'api';
  const isDescription = command === 'operations' && second === 'describe';
  if ((isApi && words.length === 2) || (isDescription && words.length === 3)) {
    const { operations } = await load();
    return among([...operations.values()].map(({ id, summary }) => ({ text: id, hint: summary })));
  }
  if (!isApi) return [];
  const operation = (await load()).operations.get(second);
  if (operation === undefined) return [];
  const previous = words.at(-2) ?? third;
  const flags = flagsOf(operation);
  const field = flags.find(({ flag }) => `--${flag}` === previous)?.field;
  if (field?.schema.enum !== undefined) return among(plain(field.schema.enum.map(String)));
  if (field !== undefined && isBoolean(field.schema)) return among(plain(['true', 'false']));
  if (previous === '--output') return among(plain([...formats]));
  if (field !== undefined) return [];
  const given = new Set(words.slice(0, -1));
  return among([
    ...flags
      .filter(({ flag }) => !given.has(`--${flag}`))
      .map(({ flag, field: { description, isRequired } }) => ({
        text: `--${flag}`,
        hint: `${isRequired ? 'required. ' : ''}${description.split(/(?<=\.)\s/)[0] ?? ''}`,
      })),
    ...plain([...ownOptions].map((name) => `--${name}`)),
  ]);
}

const plain = (texts: string[]): Candidate[] => texts.map((text) => ({ text, hint: '' }));

/** One candidate a line: its text, a tab, its hint. */
export const printed = (list: Candidate[]): string =>
  list
    .map(
      ({ text, hint }) => `${text}\t${hint.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, 80)}\n`,
    )
    .join('');

export function script(shell: string): string {
  const found = shells.find((each) => each === shell);
  if (found === undefined) throw new CliError(`Completion exists for ${shells.join(', ')}.`);
  return scripts[found];
}

const scripts: Record<(typeof shells)[number], string> = {
  bash: `# gantry completion for bash. Load it with: source <(gantry completion bash)
_gantry() {
  local line
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do COMPREPLY+=("$line"); done \\
    < <(gantry __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _gantry gantry
`,
  zsh: `#compdef gantry
# gantry completion for zsh. Load it with: source <(gantry completion zsh)
_gantry() {
  local -a found
  local text hint
  while IFS=$'\\t' read -r text hint; do found+=("\${text//:/\\\\:}:$hint"); done \\
    < <(gantry __complete -- "\${(@)words[2,$CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe gantry found; else _files; fi
}
compdef _gantry gantry
`,
  fish: `# gantry completion for fish. Load it with: gantry completion fish | source
function __gantry_complete
  set -l words (commandline -opc) (commandline -ct)
  gantry __complete -- $words[2..-1] 2>/dev/null
end
complete -c gantry -f -a '(__gantry_complete)'
`,
  powershell: `# gantry completion for PowerShell. Load it with: gantry completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName gantry -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '""' }
  gantry __complete -- @words 2>$null | ForEach-Object {
    $text, $hint = $_ -split "\`t", 2
    if (-not $hint) { $hint = $text }
    [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $hint)
  }
}
`,
};
