// Sites by what they are for. A host belongs to a site when it is the site or ends with a dot and the site.

/** Collect whatever is sent to them, or make a local port reachable from outside. */
export const catchers = sites(`
  beeceptor.com bore.pub burpcollaborator.net canarytokens.com canarytokens.org ceye.io dnslog.cn hookbin.com
  interact.sh lhr.life loca.lt localhost.run mockbin.io mockbin.org ngrok-free.app ngrok-free.dev ngrok-free.io
  ngrok.app ngrok.dev ngrok.io oast.fun oast.live oast.me oast.online oast.pro oast.site oastify.com pipedream.net
  postb.in requestbin.com requestbin.net requestcatcher.com requestrepo.com serveo.net trycloudflare.com
  typedwebhook.tools webhook.cool webhook.site
`);

/** Keep texts and files of anybody, without a name. */
export const pastes = sites(`
  0x0.st anonfiles.com bashupload.com catbox.moe controlc.com dpaste.com dpaste.org dropmefiles.com file.io filebin.net
  ghostbin.com glot.io gofile.io hastebin.com ix.io justpaste.it litterbox.catbox.moe mediafire.com mega.nz oshi.at
  paste.c-net.org paste.ee paste.rs pastebin.com pixeldrain.com privatebin.net rentry.co rentry.org sprunge.us
  telegra.ph temp.sh termbin.com tmpfiles.org transfer.sh uguu.se wetransfer.com
`);

/** Hide where a link leads. */
export const shorteners = sites(`
  bit.ly buff.ly cutt.ly dub.sh dwz.cn goo.gl is.gd lnkd.in ow.ly rb.gy rebrand.ly s.id shorturl.at suo.im t.co t.ly
  tiny.cc tinyurl.com url.cn v.gd
`);

/** Anybody can put a page, a program or a receiver there in a minute: being well-known says nothing about who it is. */
export const hosting = sites(`
  appspot.com azurewebsites.net blob.core.windows.net cloudfront.net deno.dev firebaseapp.com fly.dev gitbook.io github.io
  gitlab.io glitch.me herokuapp.com hf.space netlify.app ngrok.io onrender.com pages.dev railway.app render.com repl.co
  replit.app replit.dev run.app s3.amazonaws.com supabase.co surge.sh vercel.app web.app workers.dev
`);

/** Services that are usual in skills. Anyone can keep files at some of them: a usual host is not a trusted one. */
export const known = sites(`
  fluxcd.io linkerd.io istio.io k3s.io sdkman.io volta.sh starship.rs nixos.org install.python-poetry.org python-poetry.org
  opencode.ai inference.sh tailscale.com pulumi.com arkade.dev dagger.io mise.run jdx.dev railway.com convex.dev modal.com
  t.me rube.app composio.dev apify.com browser-use.com getfoundry.sh paradigm.xyz solana.com anza.xyz wasmer.io wasmtime.dev
  agents.md agentskills.io pytorch.org anaconda.org npmmirror.com aliyun.com tuna.tsinghua.edu.cn pkg.dev jfrog.io jsr.io airtable.com aka.ms amazon.com amazonaws.com anthropic.com apache.org apple.com archlinux.org arxiv.org
  asana.com astral.sh atlassian.com atlassian.net aws.dev azure.com azurewebsites.net bing.com bitbucket.org box.com
  brave.com brew.sh bun.sh cdnjs.cloudflare.com chatgpt.com claude.ai claude.com clawd.bot clawhub.ai clawhub.com
  cloudflare.com cohere.ai cohere.com cpan.org crates.io cursor.com cursor.sh dart.dev datadoghq.com debian.org
  deepseek.com deno.com deno.land dev.to digitalocean.com discord.com docker.com docker.io docs.rs dropbox.com
  duckduckgo.com elevenlabs.io esm.sh exa.ai expo.dev facebook.com fedoraproject.org figma.com firebase.google.com
  firebaseio.com flutter.dev fly.dev fly.io get.docker.com ghcr.io github.com github.io githubassets.com
  githubusercontent.com gitlab.com gnu.org go.dev golang.org google.com googleapis.com googleblog.com gradle.org
  grafana.com groq.com gstatic.com hashicorp.com helm.sh heroku.com hetzner.cloud hetzner.com hf.co homebrew.sh
  hubspot.com huggingface.co ibm.com ietf.org instagram.com jetbrains.com jsdelivr.net json-schema.org k8s.io kernel.org
  kubernetes.io launchpad.net linear.app linkedin.com live.com maven.org medium.com microsoft.com microsoftonline.com
  mistral.ai modelcontextprotocol.io mongodb.com mozilla.org nasa.gov netlify.app netlify.com nih.gov nodejs.org
  nodesource.com notion.com notion.so npmjs.com npmjs.org nuget.org nvcr.io nvidia.com office.com ollama.ai ollama.com
  openai.com openclaw.ai openrouter.ai openstreetmap.org oracle.com packagist.org perplexity.ai pnpm.io postgresql.org
  powershellgallery.com pub.dev pypi.org python.org pythonhosted.org quay.io railway.app readthedocs.io readthedocs.org
  reddit.com redhat.com render.com replicate.com rubygems.org rust-lang.org rustup.rs salesforce.com schema.org
  sendgrid.com sentry.io sh.rustup.rs shopify.com skills.sh slack.com sourceforge.net spotify.com spring.io
  stackexchange.com stackoverflow.com stripe.com supabase.co supabase.com supabase.io tavily.com telegram.org
  terraform.io trello.com twilio.com twitter.com ubuntu.com unpkg.com vercel.app vercel.com vercel.sh visualstudio.com
  w3.org wikimedia.org wikipedia.org windows.net x.com yarnpkg.com youtube.com zoom.us
`);

function sites(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
