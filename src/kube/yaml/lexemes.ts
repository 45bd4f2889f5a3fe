import { CST, Lexer } from 'yaml';

/** The type of a lexeme, as the library's lexer names it; `scalar` is unquoted text on one or several lines. */
export type LexemeType = CST.TokenType;

/** A lexeme of YAML. */
export interface Lexeme {
  readonly type: LexemeType;
  readonly text: string;
}

/** Splits YAML into lexemes, whose texts joined are the whole text. Never throws. */
export function* lexemesOf(text: string): Generator<Lexeme, void> {
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    // The lexer's own marks before documents and unquoted scalars are not part of the text.
    if (!isScalar && (lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END)) continue;
    if (!isScalar && lexeme === CST.SCALAR) {
      isScalar = true;
      continue;
    }
    yield { type: isScalar ? 'scalar' : (CST.tokenType(lexeme) ?? 'scalar'), text: lexeme };
    isScalar = false;
  }
}
