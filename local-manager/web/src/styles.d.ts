// The style sheet that the build makes of the theme.
declare module 'virtual:theme.css';
