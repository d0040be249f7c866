// How good a state is, for its colour.
export type Tone = 'good' | 'busy' | 'bad' | 'idle';
