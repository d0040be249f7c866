// The password policy: passwords must be long and hard to guess, regardless of their characters.
import { DomainError } from '../../errors.ts';

export const minLength = 12;

/**
 * The estimate rates from 0 to 4 how many guesses a password takes; 3 withstands offline cracking of its hash for long.
 */
const minScore = 3;

/** The estimate blocks the process. Without limits, 200 characters that resemble other letters take seconds. */
const maxEstimated = 40;
const maxSubstitutions = 12;

export interface PasswordChoice {
  password: string;
  /** The account's address: its parts are the first guesses. */
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
  /** The dictionaries take tens of megabytes, so they are loaded when a password is first chosen. */
  #estimator: Promise<Estimator> | undefined;

  /** Throws `weak_password`, with advice for a better one. */
  async check({ password, email, pointer }: PasswordChoice): Promise<void> {
    if (password.length < minLength) throw weakPassword(pointer, [`Use at least ${minLength} characters.`]);
    this.#estimator ??= loadEstimator();
    const estimate = await this.#estimator;
    const known = [email, ...email.split(/[@.]/), ...email.split(/[^a-z0-9]+/i), 'gantry'].filter(
      (word) => word.length > 2,
    );
    const { score, feedback } = estimate(password.slice(0, maxEstimated), known);
    if (score >= minScore) return;
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
