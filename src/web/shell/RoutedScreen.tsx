import { memo } from 'react';
import { useCommands } from '../core/commands.ts';
import { CommandScreen } from '../frame/CommandScreen.tsx';

/** The screen of a path; what stands in the search it reads itself. Another path of the same route begins anew. */
export const RoutedScreen = memo(function RoutedScreen({ pathname }: { readonly pathname: string }) {
  const { registry } = useCommands();
  const match = registry.match(pathname);
  return <CommandScreen command={match?.command} params={match?.params ?? {}} />;
});
