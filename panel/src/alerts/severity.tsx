// The severity of an alert as a sign and a word.
import { Info, OctagonAlert, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useTexts } from '../texts/texts.ts';
import type { Alert } from './alert-search.ts';
import classes from './alerts.module.css';

const icons: Readonly<Record<Alert['severity'], LucideIcon>> = {
  Critical: OctagonAlert,
  Warning: TriangleAlert,
  Info,
};

interface SeverityProps {
  severity: Alert['severity'];
  /** Alerts that have ended are quiet. */
  isOver?: boolean;
}

export function Severity({ severity, isOver = false }: SeverityProps) {
  const t = useTexts('alerts');
  const Icon = icons[severity];
  return (
    <span className={classes.severity} data-severity={isOver ? 'over' : severity}>
      <Icon size={15} aria-hidden="true" />
      {t(`severities.${severity}`)}
    </span>
  );
}
