// Reports a wrong setting in one line for the operator; the agent then exits with code 1.

export class SettingError extends Error {
  constructor(message: string) {
    super(message.replaceAll(/\s*[\r\n]+\s*/g, ' ').trim());
    this.name = 'SettingError';
  }
}
