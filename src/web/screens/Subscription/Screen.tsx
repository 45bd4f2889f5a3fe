import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useCommands } from '../../core/commands.ts';
import {
  afterCallback,
  keepHostedPage,
  pendingHostedPage,
  tellHostedPage,
} from '../../data/pending-checkout.ts';
import { useData } from '../../data/port.ts';
import { rememberedPlace } from '../../data/remember.ts';
import { Unfinished } from '../../features/subscription/Unfinished.tsx';
import { BarePage } from '../../frame/BarePage.tsx';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { Spinner } from '../../kit/Spinner.tsx';
import { useWorkspace } from '../../workspace/port.ts';
import { nextStep, readCallback } from './callback.ts';

/**
 * `/subscription/callback`: keeps the hosted page that the provider names, and tells the server of it once somebody is
 * signed in.
 */
export function Screen() {
  const { services, registry } = useCommands();
  const { api, queries } = useData();
  const { workspace } = useWorkspace();
  const session = useQuery(queries.session);
  const [address] = useState(() => readCallback(workspace.href()));
  const [failure, setFailure] = useState<unknown>(undefined);
  const [tries, setTries] = useState(1);
  const done = useRef(0);
  const user = session.data;

  useEffect(() => {
    const { hostedPageId, isCancelled } = address;
    if (hostedPageId !== undefined && !isCancelled) keepHostedPage(localStorage, hostedPageId);
    const step = nextStep(address, user, pendingHostedPage(localStorage));
    if (step.type === 'wait' || step.type === 'sign in' || done.current === tries) return;
    done.current = tries;
    const goOn = () =>
      workspace.redirect(address.returnTo ?? rememberedPlace(sessionStorage) ?? registry.href('home'));
    if (step.type === 'go') workspace.redirect(step.to);
    else if (step.type === 'go on') goOn();
    else
      tellHostedPage(api, localStorage, step.hostedPageId).then(
        () => location.replace(afterCallback),
        (error: unknown) => {
          services.log('The pending subscription could not be completed.', error);
          // After a sign-in it is only logged; whoever comes from paying waits for an answer.
          if (hostedPageId === undefined) goOn();
          else setFailure(error);
        },
      );
  }, [address, user, tries, api, registry, services, workspace]);

  const step = nextStep(address, user, undefined);
  if (step.type === 'sign in')
    return (
      <BarePage lead="Sign in to complete your subscription.">
        <p className="text-text-2">
          {address.hostedPageId === undefined
            ? 'A payment that waits in this browser is completed once you have signed in.'
            : 'Your payment is kept in this browser, and completed once you have signed in.'}
        </p>
        <Button size="lg" isWide onClick={() => workspace.redirect(step.at)}>
          Sign in
        </Button>
      </BarePage>
    );
  if (failure === undefined && session.error === null)
    return <Spinner label="Completing your subscription..." />;
  return (
    <BarePage lead="Your subscription is not complete yet.">
      {failure === undefined ? (
        <ErrorAlert
          error={session.error}
          onRetry={() => void session.refetch()}
          isRetrying={session.isFetching}
        />
      ) : (
        <Unfinished
          failure={failure}
          onRetry={() => {
            setFailure(undefined);
            setTries(tries + 1);
          }}
        />
      )}
      <Button size="lg" variant="secondary" isWide onClick={() => workspace.redirect(registry.href('home'))}>
        Go to the console
      </Button>
    </BarePage>
  );
}
