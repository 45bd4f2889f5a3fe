import { CST, Lexer } from 'yaml';

/** What a piece of YAML is, in the words of the library's lexer; `scalar` is unquoted text, in one line or several. */
export type LexemeType = CST.TokenType;

/** A piece of YAML. */
export interface Lexeme {
  readonly type: LexemeType;
  readonly text: string;
}

/** Splits YAML into its pieces: their texts, one after the other, are the whole text. Never throws. */
export function* lexemesOf(text: string): Generator<Lexeme, void> {
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    // Marks of the lexer's own stand before a document and before unquoted text; they are no part of the text.
    if (!isScalar && (lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END)) continue;
    if (!isScalar && lexeme === CST.SCALAR) {
      isScalar = true;
      continue;
    }
    yield { type: isScalar ? 'scalar' : (CST.tokenType(lexeme) ?? 'scalar'), text: lexeme };
    isScalar = false;
  }
}
