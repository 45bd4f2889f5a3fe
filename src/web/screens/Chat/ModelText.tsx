import Markdown, { type Components } from 'react-markdown';
import { namePeople, type People, withPeople } from './people.ts';

/** Elements that a model’s text may come to. Everything else is unwrapped to its text: no links, no images, no HTML. */
const allowedElements = 'p strong em code pre ul ol li blockquote h1 h2 h3 h4 h5 h6'.split(' ');

/** A heading of a model is none of the page. */
const flatHeading: NonNullable<Components['h1']> = ({ children }) => (
  <p className="font-semibold">{children}</p>
);

const components: Components = {
  h1: flatHeading,
  h2: flatHeading,
  h3: flatHeading,
  h4: flatHeading,
  h5: flatHeading,
  h6: flatHeading,
  p: ({ children }) => <p>{children}</p>,
  ul: ({ children }) => <ul className="list-disc pl-5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol className="list-decimal pl-5" start={start}>
      {children}
    </ol>
  ),
  li: ({ children }) => <li>{children}</li>,
  blockquote: ({ children }) => (
    <blockquote className="border-l-2 border-hairline pl-2.5 text-text-2">{children}</blockquote>
  ),
  code: ({ children }) => <code className="mono">{children}</code>,
  pre: ({ children }) => (
    <pre className="mono rounded-sm border border-hairline bg-raised p-2 leading-4.5 wrap-anywhere whitespace-pre-wrap">
      {children}
    </pre>
  ),
};

/** A text that is longer, or nested deeper, is shown as it is written, characters and marks of a line. */
const maxLength = 8_000;
const deepNesting = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){9}/m;
const muchEmphasis = /(?:[*_][^\s*_][^*_\n]{0,20}){60}/;

interface ModelTextProps {
  readonly text: string;
  /** Who its stand-ins mean. */
  readonly people: People;
}

/** What a model wrote, as Markdown with a closed set of elements. */
export function ModelText({ text, people }: ModelTextProps) {
  if (text.length > maxLength || deepNesting.test(text) || muchEmphasis.test(text))
    return <p className="whitespace-pre-line">{withPeople(text, people)}</p>;
  return (
    <Markdown
      allowedElements={allowedElements}
      unwrapDisallowed
      skipHtml
      components={components}
      rehypePlugins={[namePeople(people)]}
    >
      {text}
    </Markdown>
  );
}
