import type { TextPlace } from '../../../kube/field-place.ts';
import { LinkButton } from '../../kit/Link.tsx';

/** An error in a field, in the cluster's words. */
export interface FieldIssue {
  readonly path: string;
  readonly message: string;
  /** Where it stands in the text; undefined where it does not. */
  readonly place: TextPlace | undefined;
}

interface IssuesProps {
  readonly issues: readonly FieldIssue[];
  readonly onGo: (place: TextPlace) => void;
}

/** Fields that the cluster refused, each with a way to its line. */
export function Issues({ issues, onGo }: IssuesProps) {
  return (
    <ul>
      {issues.map(({ path, message, place }, index) => (
        <li key={`${index} ${path}`}>
          {place === undefined ? (
            <code>{path}</code>
          ) : (
            <LinkButton title={`Go to line ${place.line}`} onClick={() => onGo(place)}>
              <code>{path}</code>
            </LinkButton>
          )}
          : {message}
        </li>
      ))}
    </ul>
  );
}
