// The style sheet that the build generates from the theme.
declare module 'virtual:theme.css';
