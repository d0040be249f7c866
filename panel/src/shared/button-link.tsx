// A link that looks like a button, with the parameters of its route checked.
import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type AnchorButtonProps = Omit<ButtonProps, 'vars'> &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps> & { ref?: Ref<HTMLAnchorElement> };

const AnchorButton = (props: AnchorButtonProps) => <Button component="a" {...props} />;

export const ButtonLink = createLink(AnchorButton);
