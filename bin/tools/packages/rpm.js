// npm run build:rpm [-- linux-arm64]: a package for Fedora, RHEL and SUSE from the executable, in dist-standalone/packages.
import {execFileSync} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {emptyFolder, environment, facts, layOut, out, readDocuments} from './tree.js'

const [platform = `linux-${process.arch}`] = process.argv.slice(2)
const architecture = {'linux-x64': 'x86_64', 'linux-arm64': 'aarch64'}[platform]
const {license, notices, nodeLicense, changes} = readDocuments(platform)
const documents = 'usr/share/doc/vendorctl'
const licenses = 'usr/share/licenses/vendorctl'
/** Of what is built in, and of the parts of Node. */
const named = [...notices.matchAll(/^\S+ \d\S* \(([\w.-]+)\)$/gm)].map(([, name]) => name)
const licenseText = [...new Set(['MIT', ...named, 'Apache-2.0', 'BSD-3-Clause', 'Unicode-3.0', 'Zlib'])]
  .sort()
  .join(' AND ')

const folder = emptyFolder('rpm')
const paths = layOut(join(folder, 'tree'), {
  platform,
  zshFolder: 'site-functions',
  more: {
    [`${licenses}/LICENSE`]: license,
    [`${licenses}/LICENSE-node`]: nodeLicense,
    [`${licenses}/third-party-notices.txt`]: notices,
    [`${documents}/CHANGELOG.md`]: changes,
  },
})
/** Shared with packages that may not be there. */
const folders = [
  ...['licenses', 'licenses/vendorctl', 'doc/vendorctl', 'zsh', 'zsh/site-functions'],
  ...['bash-completion', 'bash-completion/completions', 'fish', 'fish/vendor_completions.d'],
]
const kinds = [
  [`${licenses}/`, '%license '],
  [`${documents}/`, '%doc '],
]
const kindOf = (path) => kinds.find(([start]) => path.startsWith(start))?.[1] ?? ''
const day = facts.date.toUTCString().replace(/(...), (\d+) (...) (\d+) .*/, '$1 $3 $2 $4')
const spec = `Name: vendorctl
Version: ${facts.version}
Release: 1
Packager: ${facts.maintainer}
Summary: ${facts.summary}
License: ${licenseText}
${facts.homepage ? `URL: ${facts.homepage}\n` : ''}BuildArch: ${architecture}

%description
${facts.about.join('\n')}

%install
cp -a ${join(folder, 'tree')}/. %{buildroot}

%files
${folders.map((path) => `%dir /usr/share/${path}`).join('\n')}
${paths.map((path) => `${kindOf(path)}/${path}`).join('\n')}

%changelog
* ${day} ${facts.maintainer} - ${facts.version}-1
- See CHANGELOG.md.
`
writeFileSync(join(folder, 'vendorctl.spec'), spec)

/** Nothing is stripped, which would cut the program off the executable, and nothing says when and where it was built. */
const settings = {
  _topdir: folder,
  _rpmdir: out,
  _build_name_fmt: '%{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm',
  _binary_payload: 'w6.gzdio',
  debug_package: '%{nil}',
  _build_id_links: 'none',
  __os_install_post: '%{nil}',
  _buildhost: 'release',
  use_source_date_epoch_as_buildtime: '1',
  clamp_mtime_to_source_date_epoch: '1',
}
const defined = Object.entries(settings).flatMap(([name, value]) => ['--define', `${name} ${value}`])
const words = ['-bb', '--quiet', '--target', architecture, ...defined, join(folder, 'vendorctl.spec')]
execFileSync('rpmbuild', words, {env: environment, stdio: ['ignore', 'inherit', 'inherit']})
