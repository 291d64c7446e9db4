import {writeFileSync} from 'node:fs'
import {licensePlugin} from 'rolldown-license-plugin'
import sbom from 'rollup-plugin-sbom'

const accepted = ['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0']

/** The licences of all bundled packages, shipped with the program as they require. Any other licence fails the build. */
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

/** The bill of materials (CycloneDX) of what is bundled, which the dependencies in package.json do not show. */
export const billOfMaterials = sbom({
  outDir: '.',
  outFilename: 'sbom.cdx',
  includeWellKnown: false,
  saveTimestamp: false, // the same sources give the same bytes
  afterCollect: removeOtherBuilders,
})

/** Writes the list of bundled files, for the test that compares it with notices and bill of materials. */
export const listModules = (path) => ({
  name: 'list-modules',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((chunk) => Object.entries(chunk.modules ?? {}))
    const files = modules.filter(([, {code}]) => code !== null).map(([file]) => file)
    writeFileSync(path, JSON.stringify([...new Set(files)].filter((file) => !file.startsWith('\0')).sort()))
  },
})

/** The log of the bundler, without the search of the bill of materials for builders. */
export function logNotices(level, log, print) {
  if (log.plugin !== 'rollup-plugin-sbom') print(level, log)
}

const line = `\n${'-'.repeat(80)}\n\n`

function toNotice({name, version, license, licenseText}) {
  return `${name} ${version} (${license})\n\n${licenseText.trim()}\n`
}

/** The plugin lists every builder that is installed, and only one of them made this. */
function removeOtherBuilders(bom) {
  for (const tool of bom.metadata.tools.tools) if (tool.name === 'vite') bom.metadata.tools.tools.delete(tool)
  return bom
}
