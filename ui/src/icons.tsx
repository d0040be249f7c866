// The pictograms of the page; each has a text beside it.
import type { ReactNode } from 'react';

const shapes = {
  dashboard: <path d="M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z" />,
  setup: <path d="m5 12 4 4L19 6M4 20h16" />,
  sliders: <path d="M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4" />,
  globe: <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18" />,
  people: (
    <path d="M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM3 20c0-4 3-6 6-6s6 2 6 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.500c2 .8 3 2.7 3 5.5" />
  ),
  pulse: <path d="M3 12h4l3-8 4 16 3-8h4" />,
  sun: (
    <path d="M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.500M17.5 17.5 19 19M19 5l-1.5 1.500M6.5 17.5 5 19" />
  ),
  moon: <path d="M20 14.500A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.500Z" />,
  screen: <path d="M3 5h18v11H3zM9 20h6M12 16v4" />,
  terminal: <path d="M4 5h16v14H4zM8 9l3 3-3 3M13 15h4" />,
  up: <path d="m6 15 6-6 6 6" />,
  down: <path d="m6 9 6 6 6-6" />,
  play: <path d="M7 5v14l11-7z" />,
  stop: <path d="M6 6h12v12H6z" />,
  restart: <path d="M20 12a8 8 0 1 1-2.5-5.800M20 3v4.500h-4.5" />,
  download: <path d="M12 4v11M7 11l5 5 5-5M5 20h14" />,
  archive: <path d="M4 5h16v4H4zM5 9v10h14V9M10 13h4" />,
  key: <path d="M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM11 12l8-8M16 7l3 3" />,
  warning: <path d="M12 4 2.5 20h19L12 4ZM12 10v4M12 17v.01" />,
  cross: <path d="M6 6l12 12M18 6 6 18" />,
  check: <path d="m5 12.5 4.5 4.500L19 7.5" />,
  dot: <path d="M12 11.500a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1Z" />,
  info: <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 11v5M12 8v.01" />,
  copy: <path d="M8 8h12v12H8zM16 8V4H4v12h4" />,
  link: <path d="M14 4h6v6M20 4l-9 9M18 14v6H4V6h6" />,
  trash: <path d="M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5" />,
  back: <path d="M14 6l-6 6 6 6" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {shapes[name]}
    </svg>
  );
}
