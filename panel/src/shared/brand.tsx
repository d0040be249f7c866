// The name of the product with its mark.
import icon from '../icon.svg';
import classes from './brand.module.css';

export function Brand() {
  return (
    <span className={classes.brand}>
      <img src={icon} alt="" width={26} height={26} />
      Gantry
    </span>
  );
}
