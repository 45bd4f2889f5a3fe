CREATE TABLE "cluster_readers" (
	"cluster_id" integer PRIMARY KEY NOT NULL,
	"server" text,
	"address" text NOT NULL,
	"fence" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "cluster_readers" ADD CONSTRAINT "cluster_readers_cluster_id_clusters_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."clusters"("id") ON DELETE cascade ON UPDATE no action;