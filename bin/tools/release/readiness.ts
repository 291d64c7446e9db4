export type Facts = {
  changedFiles: string[]
  branch: string
  /** The tag that this is a release of; absent before there is one. */
  tag?: string
  /** The versions that were tagged. */
  tags: string[]
  version: string
  lockVersion: string
  manifestVersion: string
  changelog: string
  /** Notes that are not in the changelog yet. */
  notes: string[]
  /** The repository that package.json names. */
  repository?: unknown
}

/** What keeps a state of the repository from being released, in words for a person; empty when nothing does. */
export function findObstacles(facts: Facts): string[] {
  return [...ofTree(facts), ...ofVersion(facts), ...ofTag(facts), ...ofRepository(facts)]
}

/** The files that a step changed which were as committed before it. */
export function changedSince(before: Pick<Facts, 'changedFiles'>, after: Pick<Facts, 'changedFiles'>): string[] {
  return after.changedFiles.filter((name) => !before.changedFiles.includes(name))
}

function ofTree({changedFiles, branch, tag}: Facts): string[] {
  return [
    ...(changedFiles.length > 0 ? [`The tree is not clean: ${changedFiles.join(', ')}.`] : []),
    ...(tag === undefined && branch !== 'main' ? [`Releases are made of main; this is ${branch}.`] : []),
  ]
}

function ofVersion({version, lockVersion, manifestVersion, changelog, notes}: Facts): string[] {
  const [, newest] = /^## (\S+)/m.exec(changelog) ?? []
  return [
    ...(notes.length > 0 ? [`Notes wait to be gathered with npm run bump: ${notes.join(', ')}.`] : []),
    ...(newest === version ? [] : [`CHANGELOG.md begins with ${newest}, package.json says ${version}.`]),
    ...(lockVersion === version ? [] : [`package-lock.json says ${lockVersion}, package.json ${version}.`]),
    ...(manifestVersion === version ? [] : [`oclif.manifest.json says ${manifestVersion}, package.json ${version}.`]),
  ]
}

function ofTag({version, tag, tags}: Facts): string[] {
  if (tag === undefined) return tags.includes(`v${version}`) ? [`Version ${version} has its tag already.`] : []
  return tag === `v${version}` ? [] : [`The tag is ${tag}, package.json says ${version}.`]
}

/** A published package names the repository that it was built of; provenance is refused without. */
function ofRepository({repository}: Facts): string[] {
  return repository ? [] : ['package.json names no repository, which provenance needs.']
}
