// A manifest of an extension and its files -> a package that VS Code installs.
//
// A package is a zip by the Open Packaging Conventions: [Content_Types].xml names the type of every file, extension.vsixmanifest says
// what it is, and the extension itself is in extension/. Nothing in it depends on when or where it was made.
import { zipSync } from 'fflate';

const types = {
  json: 'application/json',
  js: 'application/javascript',
  md: 'text/markdown',
  txt: 'text/plain',
  vsixmanifest: 'text/xml',
};

/** The first moment that a zip can name. */
const mtime = new Date(1980, 0, 1);

/** `files`: path -> bytes. */
export function packVsix(manifest, files) {
  const paths = [...files.keys()].sort(byCodeUnits);
  const all = {
    'extension.vsixmanifest': encode(renderManifest(manifest)),
    '[Content_Types].xml': encode(renderTypes(['extension.vsixmanifest', ...paths])),
  };
  for (const path of paths) all[`extension/${path}`] = files.get(path);
  return zipSync(all, { level: 9, mtime, os: 0, attrs: 0 });
}

function renderTypes(paths) {
  const endings = [...new Set(paths.map((path) => path.slice(path.lastIndexOf('.') + 1)))].sort(byCodeUnits);
  const lines = endings.map((ending) => {
    if (types[ending] === undefined) throw new Error(`files that end with .${ending} have no type`);
    return `  <Default Extension="${ending}" ContentType="${types[ending]}"/>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${lines.join('\n')}
</Types>
`;
}

function renderManifest({
  name,
  displayName,
  description,
  version,
  publisher,
  keywords,
  categories,
  engines,
}) {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escape(name)}" Version="${escape(version)}" Publisher="${escape(publisher)}"/>
    <DisplayName>${escape(displayName)}</DisplayName>
    <Description xml:space="preserve">${escape(description)}</Description>
    <Tags>${escape(keywords.join(','))}</Tags>
    <Categories>${escape(categories.join(','))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <License>extension/LICENSE.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escape(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionDependencies" Value=""/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionPack" Value=""/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
      <Property Id="Microsoft.VisualStudio.Code.LocalizedLanguages" Value=""/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
`;
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text) {
  return text.replace(/[&<>"]/g, (letter) => entities[letter]);
}

function byCodeUnits(a, b) {
  return a < b ? -1 : 1;
}

function encode(text) {
  return new TextEncoder().encode(text);
}
