// What can be open over the whole frame, by a shortcut or from the menu.
export type Overlay = 'palette' | 'shortcuts' | null;
