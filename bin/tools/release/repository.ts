/**
 * What package.json says of its repository, and the address of its maintainer: the workflow of a release knows them, and
 * nobody makes them up. Undefined elsewhere.
 */
export function repositoryFacts(environment: Readonly<Record<string, string | undefined>>) {
  const {GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: name = ''} = environment
  const [, host] = /^https:\/\/([\w.-]+(?::\d+)?)$/.exec(server) ?? []
  const [, owner] = /^([\w.-]+)\/[\w.-]+$/.exec(name) ?? []
  if (host === undefined || owner === undefined) return undefined
  const page = `${server}/${name}`
  return {
    package: {repository: {type: 'git', url: `git+${page}.git`}, homepage: page, bugs: {url: `${page}/issues`}},
    maintainer: `${owner}@users.noreply.${host}`,
  }
}
