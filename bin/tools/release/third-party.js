import {writeFileSync} from 'node:fs'
import {licensePlugin} from 'rolldown-license-plugin'
import sbom from 'rollup-plugin-sbom'

const accepted = ['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0']

/** The licences of all packages that are bundled, beside the program as they ask. Another licence ends the build. */
export const notices = licensePlugin({
  allow: ({license}) => accepted.includes(license),
  failOnViolation: true,
  failOnUnlicensed: true,
  done: (packages, context) =>
    context.emitFile({
      type: 'asset',
      fileName: 'third-party-notices.txt',
      source: `${packages.map(toNotice).join(line)}`,
    }),
})

/** The bill of materials (CycloneDX): what is bundled, which the dependencies in package.json do not say. */
export const billOfMaterials = sbom({
  outDir: '.',
  outFilename: 'sbom.cdx',
  includeWellKnown: false,
  saveTimestamp: false, // the same sources give the same bytes
  afterCollect: forgetStrangers,
})

/** The files of which something is in what was built, for the test that compares them with what is told of them. */
export const listModules = (path) => ({
  name: 'list-modules',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((chunk) => Object.entries(chunk.modules ?? {}))
    const files = modules.filter(([, {code}]) => code !== null).map(([file]) => file)
    writeFileSync(path, JSON.stringify([...new Set(files)].filter((file) => !file.startsWith('\0')).sort()))
  },
})

/** What the bundler tells, without the search for builders by which the bill begins. */
export function tellNotices(level, log, tell) {
  if (log.plugin !== 'rollup-plugin-sbom') tell(level, log)
}

const line = `\n${'-'.repeat(80)}\n\n`

function toNotice({name, version, license, licenseText}) {
  return `${name} ${version} (${license})\n\n${licenseText.trim()}\n`
}

/** The plugin names every builder that is installed; this was made by one of them. */
function forgetStrangers(bom) {
  for (const tool of bom.metadata.tools.tools) if (tool.name === 'vite') bom.metadata.tools.tools.delete(tool)
  return bom
}
