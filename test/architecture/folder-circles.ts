import { dirname } from 'node:path/posix';

/** A file and the files that it imports, from the project's root. */
export interface ImportingFile {
  readonly source: string;
  readonly dependencies: readonly { readonly resolved: string }[];
}

/**
 * The circles of folders within one lib or app: of two folders that lie in the same one, a file of each imports one of
 * the other, directly or over further folders. Files directly in a folder join its folders, so both may import each other.
 */
export const folderCircles = (files: readonly ImportingFile[], isChecked: RegExp): string[][] => {
  const arrows = new Map<string, Set<string>>();
  for (const { source, dependencies } of files) {
    if (!isChecked.test(source)) continue;
    for (const { resolved } of dependencies) {
      const [from, to] = divergingFolders(source, resolved);
      if (from === undefined || to === undefined) continue;
      arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    }
  }
  const circles = [...arrows.keys()].map((folder) => {
    const reached = reachedFrom(folder, arrows);
    return [...reached].filter((other) => reachedFrom(other, arrows).has(folder)).toSorted();
  });
  const found = new Map(circles.filter(({ length }) => length > 0).map((circle) => [circle.join(), circle]));
  return [...found.values()];
};

/** The two folders in the deepest folder of both files; undefined for a file that lies directly in it. */
const divergingFolders = (from: string, to: string): [string | undefined, string | undefined] => {
  const [own, others] = [dirname(from).split('/'), dirname(to).split('/')];
  const common = own.findIndex((name, depth) => name !== others[depth]);
  const isWithinOne = common > PROJECT_DEPTH && others.length > common;
  return isWithinOne
    ? [own.slice(0, common + 1).join('/'), others.slice(0, common + 1).join('/')]
    : [undefined, undefined];
};

/** `libs/<name>/src`; between libs the table of imports decides. */
const PROJECT_DEPTH = 2;

const reachedFrom = (folder: string, arrows: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> => {
  const reached = new Set<string>();
  const next = [folder];
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    for (const to of arrows.get(one) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      next.push(to);
    }
  }
  return reached;
};
