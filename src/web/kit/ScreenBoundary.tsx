import { Component, type ErrorInfo, type ReactNode } from 'react';
import { sentenceOf } from '../../registry/commands/execute.ts';
import { Button } from './Button.tsx';
import { ErrorAlert } from './ErrorAlert.tsx';
import { stateLook } from './State.tsx';

interface BoundaryState {
  readonly error: unknown;
}

/** A part of the page that was not found on the server: most likely a new version was installed meanwhile. */
const isMissingChunk = (error: unknown) =>
  error instanceof Error && /dynamically imported module|module script|preload/i.test(error.message);

/** Catches what a screen throws, so that the rest of the console goes on. */
export class ScreenBoundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { error: undefined };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error('A screen failed.', error, info.componentStack);
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const message = isMissingChunk(error)
      ? 'A part of the page could not be loaded: the server is unreachable or runs a newer version. Reload the page.'
      : sentenceOf(error);
    return (
      <div className={stateLook()}>
        <ErrorAlert
          title="This screen failed."
          message={message}
          onRetry={() => this.setState({ error: undefined })}
        >
          <Button size="sm" variant="transparent" onClick={() => location.reload()}>
            Reload the page
          </Button>
        </ErrorAlert>
      </div>
    );
  }
}
