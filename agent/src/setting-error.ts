// Names a wrong setting in one line that an operator can act on; it ends the start with exit code 1.

export class SettingError extends Error {
  constructor(message: string) {
    super(message.replaceAll(/\s*[\r\n]+\s*/g, ' ').trim());
    this.name = 'SettingError';
  }
}
