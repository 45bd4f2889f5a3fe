import type { ScreenProps } from '../../../registry/command.ts';
import { objectOfRoute } from '../../../registry/kind-commands.ts';
import { useApp } from '../../app/context.ts';
import { useLive } from '../../data/live/use-live.ts';
import { useView } from '../../workspace/view.ts';
import { fullKind } from '../full-kind.ts';
import { DetailView } from './DetailView.tsx';
import { targetOf } from './target.ts';

/** The page of one object of any kind. */
export function Screen({ params, command }: ScreenProps) {
  const ref = objectOfRoute({ command, params });
  const kind = ref === undefined ? undefined : fullKind(ref.kind);
  if (ref === undefined || kind === undefined) throw new Error(`The route ${command.id} names no kind.`);
  const { live } = useApp();
  const { isVisible } = useView();
  const target = targetOf(kind, ref);
  const data = useLive(target, isVisible);
  return <DetailView kind={kind} self={ref} data={data} onRetry={() => live.retry(target)} />;
}
