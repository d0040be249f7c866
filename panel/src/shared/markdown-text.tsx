// Shows Markdown as elements.
import { createElement, Fragment } from 'react';
import { blocksOf, type Block, type Span } from './markdown.ts';
import classes from './markdown-text.module.css';

interface MarkdownTextProps {
  text: string;
  /** The level of its headings on the page. */
  headingLevel?: 3 | 4;
}

export function MarkdownText({ text, headingLevel = 3 }: MarkdownTextProps) {
  return (
    <div className={classes.text}>
      {blocksOf(text).map((block, index) => (
        <BlockView key={index} block={block} headingLevel={headingLevel} />
      ))}
    </div>
  );
}

function BlockView({ block, headingLevel }: { block: Block; headingLevel: 3 | 4 }) {
  switch (block.kind) {
    case 'code':
      return (
        <pre className={classes.code} tabIndex={0}>
          {block.text}
        </pre>
      );
    case 'list':
      return createElement(
        block.isOrdered ? 'ol' : 'ul',
        {},
        block.items.map((spans, index) => (
          <li key={index}>
            <Spans spans={spans} />
          </li>
        )),
      );
    case 'heading':
      return createElement(`h${headingLevel}`, {}, <Spans spans={block.spans} />);
    case 'quote':
      return (
        <blockquote>
          <Spans spans={block.spans} />
        </blockquote>
      );
    case 'paragraph':
      return (
        <p>
          <Spans spans={block.spans} />
        </p>
      );
  }
}

function Spans({ spans }: { spans: readonly Span[] }) {
  return spans.map((span, index) => {
    switch (span.kind) {
      case 'text':
        return <Fragment key={index}>{span.text}</Fragment>;
      case 'link':
        return (
          <a key={index} href={span.href} target="_blank" rel="noreferrer">
            {span.text}
          </a>
        );
      case 'code':
      case 'em':
      case 'strong':
        return createElement(span.kind, { key: index }, span.text);
    }
  });
}
