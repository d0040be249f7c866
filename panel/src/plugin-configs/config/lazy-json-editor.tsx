// The JSON view, loaded when it is opened first. Afterwards it stays, so that what is typed there is not lost.
import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { JsonObject } from '../schema/data.ts';

const JsonEditor = lazy(() => import('./json-editor.tsx').then((module) => ({ default: module.JsonEditor })));

interface LazyJsonEditorProps {
  isShown: boolean;
  data: JsonObject;
  onData: (data: JsonObject) => void;
  isReadOnly: boolean;
}

export function LazyJsonEditor({ isShown, ...props }: LazyJsonEditorProps) {
  const [wasShown, setWasShown] = useState(false);
  if (isShown && !wasShown) setWasShown(true);
  if (!isShown && !wasShown) return null;
  return (
    <div hidden={!isShown}>
      <Suspense fallback={<Skeleton height={320} />}>
        <JsonEditor {...props} />
      </Suspense>
    </div>
  );
}
