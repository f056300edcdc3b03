import { XMLParser } from 'fast-xml-parser';
import { err, ok, type Result } from '../../../shared/result.ts';

const DEPTH_MAX = 20;

/**
 * XML as plain objects, attributes under `@`, no value turned into a number. A document that brings a document type is
 * refused as a whole, and no entity is expanded: a configuration needs neither, and both are ways to make little text
 * large or to name other files.
 */
export function parseXml(text: string): Result<unknown, 'not-xml'> {
  if (/<!(doctype|entity)/i.test(text)) return err('not-xml');
  try {
    const parser = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '@',
      parseTagValue: false,
      parseAttributeValue: false,
      processEntities: false,
      ignoreDeclaration: true,
      ignorePiTags: true,
      maxNestedTags: DEPTH_MAX,
    });
    const parsed: unknown = parser.parse(text);
    return ok(parsed);
  } catch {
    // The parser's only way to say that it cannot read this.
    return err('not-xml');
  }
}
