export type Facts = {
  changedFiles: string[]
  branch: string
  /** The tag of this release; absent before there is one. */
  tag?: string
  /** All tags. */
  tags: string[]
  version: string
  lockVersion: string
  manifestVersion: string
  changelog: string
  /** Notes that are not in the changelog yet. */
  notes: string[]
  /** The repository that the workflow of a release names. */
  repository?: unknown
}

/** The obstacles to a release in this state of the repository, as sentences; empty when there is none. */
export function findObstacles(facts: Facts): string[] {
  return [...ofTree(facts), ...ofVersion(facts), ...ofTag(facts), ...ofRepository(facts)]
}

/** The files that a step changed and that were unchanged before it. */
export function changedSince(before: Pick<Facts, 'changedFiles'>, after: Pick<Facts, 'changedFiles'>): string[] {
  return after.changedFiles.filter((name) => !before.changedFiles.includes(name))
}

function ofTree({changedFiles, branch, tag}: Facts): string[] {
  return [
    ...(changedFiles.length > 0 ? [`The tree is not clean: ${changedFiles.join(', ')}.`] : []),
    ...(tag === undefined && branch !== 'main' ? [`Releases are made from main; this is ${branch}.`] : []),
  ]
}

function ofVersion({version, lockVersion, manifestVersion, changelog, notes}: Facts): string[] {
  const [, newest] = /^## (\S+)/m.exec(changelog) ?? []
  return [
    ...(notes.length > 0 ? [`Notes are not in the changelog yet; run npm run bump: ${notes.join(', ')}.`] : []),
    ...(newest === version ? [] : [`CHANGELOG.md begins with ${newest}, package.json says ${version}.`]),
    ...(lockVersion === version ? [] : [`package-lock.json says ${lockVersion}, package.json ${version}.`]),
    ...(manifestVersion === version ? [] : [`oclif.manifest.json says ${manifestVersion}, package.json ${version}.`]),
  ]
}

function ofTag({version, tag, tags}: Facts): string[] {
  if (tag === undefined) return tags.includes(`v${version}`) ? [`Version ${version} has its tag already.`] : []
  return tag === `v${version}` ? [] : [`The tag is ${tag}, package.json says ${version}.`]
}

/** A published package must name its repository, which provenance needs. */
function ofRepository({repository}: Facts): string[] {
  return repository ? [] : ['GITHUB_SERVER_URL and GITHUB_REPOSITORY name no repository, which provenance needs.']
}
