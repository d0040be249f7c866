// The password policy: passwords must be long and hard to guess, regardless of their characters.
import { DomainError } from '../../errors.ts';
import { PasswordEstimator } from './password-estimator.ts';

export const minLength = 12;

/**
 * The estimate rates from 0 to 4 how many guesses a password takes; 3 withstands offline cracking of its hash for long.
 */
const minScore = 3;

export interface PasswordChoice {
  password: string;
  /** The account's address: its parts are the first guesses. */
  email: string;
  /** Pointer to the field of the body that holds it. */
  pointer: string;
}

/** One thread for the process, however many servers it runs. */
const estimator = new PasswordEstimator();

/** Throws `weak_password`, with advice for a better one. */
export async function refuseWeak({ password, email, pointer }: PasswordChoice): Promise<void> {
  if (password.length < minLength) throw weakPassword(pointer, [`Use at least ${minLength} characters.`]);
  const known = [email, ...email.split(/[@.]/), ...email.split(/[^a-z0-9]+/i), 'gantry'].filter(
    (word) => word.length > 2,
  );
  const { score, feedback } = await estimator.estimate({ password, known });
  if (score >= minScore) return;
  throw weakPassword(pointer, [feedback.warning ?? 'This is easy to guess.', ...feedback.suggestions]);
}

function weakPassword(pointer: string, advice: string[]): DomainError {
  const detail = advice.join(' ');
  return new DomainError('weak_password', detail, { faults: [{ in: 'body', pointer, detail }] });
}
