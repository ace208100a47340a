import { posix } from 'node:path';
import type { Archive } from './archive.ts';
import { DocumentError } from '../documentError.ts';
import { readXml } from './xml.ts';

/** A part that another part refers to; `target` is a path in the archive, or an address outside. */
export interface Relation {
  /** The last word of its type, like `worksheet`. */
  type: string;
  target: string;
}

/** The relations of a part by id; of the whole document for the path ''. */
export function relationsOf(archive: Archive, part: string): Map<string, Relation> {
  const folder = posix.dirname(part);
  const path = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const relations = new Map<string, Relation>();
  if (!archive.has(path)) return relations;
  readXml(archive.read(path), {
    open: (name, attributes) => {
      const [id, target, type] = ['Id', 'Target', 'Type'].map((key) => attributes.get(key));
      if (name !== 'Relationship' || !id || !target || !type) return;
      const isOutside = attributes.get('TargetMode') === 'External';
      const inside = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: isOutside ? target : inside });
    },
  });
  return relations;
}

/** The path of a document's main part. Throws DocumentError for an archive that is not an office document. */
export function mainPartOf(archive: Archive): string {
  for (const { type, target } of relationsOf(archive, '').values()) if (type === 'officeDocument') return target;
  throw new DocumentError('The file is an archive, but no document of Excel, Word or PowerPoint.');
}

/** The part of a type that another part refers to, if any. */
export function partOf(archive: Archive, relations: Map<string, Relation>, type: string): Buffer | undefined {
  const found = [...relations.values()].find((relation) => relation.type === type);
  return found && archive.has(found.target) ? archive.read(found.target) : undefined;
}
