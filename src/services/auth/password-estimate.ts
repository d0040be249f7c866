// Estimates how hard a password is to guess, with dictionaries that take tens of megabytes.

/** Without limits, 200 characters that resemble other letters take seconds. */
const maxEstimated = 40;
const maxSubstitutions = 12;

export interface EstimateInput {
  password: string;
  /** Words about the account: the first guesses. */
  known: string[];
}

export interface Estimate {
  /** From 0 to 4. */
  score: number;
  feedback: { warning: string | null; suggestions: string[] };
}

export async function loadEstimate(): Promise<(input: EstimateInput) => Estimate> {
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
  return ({ password, known }) => {
    const { score, feedback } = zxcvbn.check(password.slice(0, maxEstimated), known);
    return { score, feedback: { warning: feedback.warning, suggestions: feedback.suggestions } };
  };
}
