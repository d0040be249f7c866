// The few words that shared parts show by themselves; a product with several languages provides its own.
import { createContext, useContext } from 'react';

export interface Words {
  cancel: string;
  close: string;
  closeDialog: string;
  copied: string;
  tryAgain: string;
  toTheEnd: string;
  waitingFor: (what: string) => string;
  typeToConfirm: (text: string) => string;
  requestId: string;
  details: string;
  sideways: (label: string) => string;
  schemes: Record<'auto' | 'light' | 'dark', string>;
  scheme: (current: string) => string;
  changeScheme: (current: string, next: string) => string;
}

const english: Words = {
  cancel: 'Cancel',
  close: 'Close',
  closeDialog: 'Close the dialog',
  copied: 'Copied',
  tryAgain: 'Try again',
  toTheEnd: 'To the end',
  waitingFor: (what) => `Waiting for ${what}`,
  typeToConfirm: (text) => `Type ${text} to confirm`,
  requestId: 'Copy the request ID',
  details: 'Copy the details',
  sideways: (label) => `${label}, to be moved sideways`,
  schemes: { auto: 'as the system', light: 'light', dark: 'dark' },
  scheme: (current) => `Colours: ${current}`,
  changeScheme: (current, next) => `Colours: ${current}. Change to ${next}`,
};

const WordsContext = createContext(english);

export const WordsProvider = WordsContext.Provider;

export const useWords = () => useContext(WordsContext);
