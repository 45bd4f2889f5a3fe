CREATE TABLE "cluster_tallies" (
	"cluster_id" integer PRIMARY KEY NOT NULL,
	"tallies" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"read_at" timestamp with time zone,
	"counted_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "cluster_tallies" ADD CONSTRAINT "cluster_tallies_cluster_id_clusters_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."clusters"("id") ON DELETE cascade ON UPDATE no action;