import { Component, type ReactNode, Suspense } from 'react';
import { useCommands } from '../core/commands.ts';

interface OptionalProps {
  /** The content, as the start of a sentence: "The list of namespaces". */
  readonly what: string;
  /** Called when content that somebody asked for could not be loaded: they see a message, and the request ends. */
  readonly onMissing?: () => void;
  /** Shown while it loads. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the page that is loaded when it is needed. Where that fails the rest of the page goes on. */
export function Optional({ what, onMissing, fallback, children }: OptionalProps) {
  const { services } = useCommands();
  const missing = `${what} could not be loaded: the server is unreachable or runs a newer version. Reload the page.`;
  return (
    <Boundary
      onMissing={(error) => {
        console.error(missing, error);
        if (onMissing === undefined) return;
        services.toast.error(missing);
        onMissing();
      }}
    >
      <Suspense fallback={fallback}>{children}</Suspense>
    </Boundary>
  );
}

interface BoundaryProps {
  readonly onMissing: (error: unknown) => void;
  readonly children: ReactNode;
}

class Boundary extends Component<BoundaryProps, { readonly isMissing: boolean }> {
  override state = { isMissing: false };

  static getDerivedStateFromError() {
    return { isMissing: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.onMissing(error);
  }

  override render() {
    return this.state.isMissing ? null : this.props.children;
  }
}
