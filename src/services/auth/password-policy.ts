// Which passwords may be chosen: those that are long and hard to guess, whatever characters they are made of.
import { DomainError } from '../../errors.ts';

export const leastLength = 12;

/** The estimate says from 0 to 4 how many guesses it takes; 3 withstands a stolen hash for long. */
const leastScore = 3;

/** The estimate blocks the process. Unbounded, it takes seconds for 200 characters that look like other letters. */
const maxEstimated = 40;
const maxSubstitutions = 12;

export interface PasswordChoice {
  password: string;
  /** Whose it becomes: what it says is the first that is guessed. */
  email: string;
  /** Pointer to the field of the body that holds it. */
  pointer: string;
}

interface Estimate {
  score: number;
  feedback: { warning: string | null; suggestions: string[] };
}

type Estimator = (password: string, known: string[]) => Estimate;

export class PasswordPolicy {
  /** The dictionaries take tens of megabytes, so they are loaded when somebody first chooses a password. */
  #estimator: Promise<Estimator> | undefined;

  /** Throws `weak_password`, with what to do about it. */
  async check({ password, email, pointer }: PasswordChoice): Promise<void> {
    if (password.length < leastLength)
      throw weakPassword(pointer, [`Use at least ${leastLength} characters.`]);
    this.#estimator ??= loadEstimator();
    const estimate = await this.#estimator;
    const known = [email, ...email.split(/[@.]/), ...email.split(/[^a-z0-9]+/i), 'gantry'].filter(
      (word) => word.length > 2,
    );
    const { score, feedback } = estimate(password.slice(0, maxEstimated), known);
    if (score >= leastScore) return;
    throw weakPassword(pointer, [feedback.warning ?? 'This is easy to guess.', ...feedback.suggestions]);
  }
}

async function loadEstimator(): Promise<Estimator> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
    l33tMaxSubstitutions: maxSubstitutions,
  });
  return (password, known) => zxcvbn.check(password, known);
}

function weakPassword(pointer: string, advice: string[]): DomainError {
  const detail = advice.join(' ');
  return new DomainError('weak_password', detail, { faults: [{ in: 'body', pointer, detail }] });
}
